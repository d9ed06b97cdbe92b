import {
  type issueTimeContract,
  type mergeRequestTimeContract,
  parseDuration,
  validationFailed,
} from '@stithy/core'
import type { CallOn, Handlers } from '../../platform/http/call.ts'
import type { WorkItem } from '../items/item.ts'
import { presentTime } from './time-tracking.presenter.ts'
import { addSpentTime, resetSpentTime, setEstimate } from './time-tracking.service.ts'

/** Parses a duration to seconds. @throws DomainError `validation_failed` */
function parseSeconds(duration: string, field: string, minimum: number): number {
  const seconds = parseDuration(duration)
  if (seconds === undefined || seconds < minimum) {
    throw validationFailed({ [field]: ['has an invalid format'] })
  }
  return seconds
}

function parseEstimate({ duration }: { duration: string }): number {
  return parseSeconds(duration, 'time_estimate', 0)
}

function parseSpent({ duration }: { duration: string }): number {
  return parseSeconds(duration, 'time_spent', Number.NEGATIVE_INFINITY)
}

interface Duration {
  body: { duration: string }
}

/** The handlers of time tracking, shared by issues and merge requests. */
const timeHandlers = {
  async show({ subject }: CallOn<WorkItem>) {
    return presentTime(subject.row)
  },

  async estimate({ app, caller, subject, body }: CallOn<WorkItem> & Duration) {
    return setEstimate(app, caller, subject, parseEstimate(body))
  },

  async resetEstimate({ app, caller, subject }: CallOn<WorkItem>) {
    return setEstimate(app, caller, subject, 0)
  },

  async spend({ app, caller, subject, body }: CallOn<WorkItem> & Duration) {
    return addSpentTime(app, caller, subject, parseSpent(body))
  },

  async resetSpent({ app, caller, subject }: CallOn<WorkItem>) {
    return resetSpentTime(app, caller, subject)
  },
}

export const issueTimeHandlers: Handlers<typeof issueTimeContract> = timeHandlers
export const mergeRequestTimeHandlers: Handlers<typeof mergeRequestTimeContract> = timeHandlers
