import {
  type Award,
  type epicAwardsContract,
  type epicNoteAwardsContract,
  type issueAwardsContract,
  type issueNoteAwardsContract,
  type mergeRequestAwardsContract,
  type mergeRequestNoteAwardsContract,
  notFound,
  type snippetAwardsContract,
  type snippetNoteAwardsContract,
} from '@stithy/core'
import { type AwardRow, listAwards, type Page } from '@stithy/store'
import { userRefs } from '../../directory/users/user-views.service.ts'
import type { App } from '../../platform/app.ts'
import type { CallOn, Handlers } from '../../platform/http/call.ts'
import { presentAwards } from './award.presenter.ts'
import { award, awardRefused, removeAward } from './award.service.ts'
import { type AwardableSubject, type AwardSubject, awardKey, itemAndNote } from './award-subject.ts'

/** The handlers of awards, shared by all types of targets. */
const awardHandlers = {
  async list({ app, subject, page }: CallOn<AwardableSubject, 'page'>): Promise<Page<Award>> {
    const found = await listAwards(app.db, awardKey(subject), page)
    return { ...found, items: await viewAwards(app, found.items) }
  },

  async show({ app, subject }: CallOn<AwardSubject>): Promise<Award> {
    return viewAward(app, subject.row)
  },

  async create(call: CallOn<AwardableSubject> & { body: { name: string } }): Promise<Award> {
    const { app, caller, subject, body } = call
    const { item, note } = itemAndNote(subject)
    const awarded = await award(app, caller, item, body.name, note)
    if (awarded === undefined) throw awardRefused('has already been taken')
    return viewAward(app, awarded)
  },

  async remove({ app, subject, headers }: CallOn<AwardSubject, 'headers'>): Promise<undefined> {
    return removeAward(app, subject.row, headers)
  },
}

async function viewAwards(app: App, rows: readonly AwardRow[]): Promise<Award[]> {
  const users = await userRefs(
    app,
    rows.map(({ userId }) => userId),
  )
  return presentAwards(rows, users)
}

async function viewAward(app: App, row: AwardRow): Promise<Award> {
  const [view] = await viewAwards(app, [row])
  if (view === undefined) throw notFound('Award Emoji')
  return view
}

export const epicAwardHandlers: Handlers<typeof epicAwardsContract> = awardHandlers
export const epicNoteAwardHandlers: Handlers<typeof epicNoteAwardsContract> = awardHandlers
export const issueAwardHandlers: Handlers<typeof issueAwardsContract> = awardHandlers
export const issueNoteAwardHandlers: Handlers<typeof issueNoteAwardsContract> = awardHandlers
export const mergeRequestAwardHandlers: Handlers<typeof mergeRequestAwardsContract> = awardHandlers
export const mergeRequestNoteAwardHandlers: Handlers<typeof mergeRequestNoteAwardsContract> =
  awardHandlers
export const snippetAwardHandlers: Handlers<typeof snippetAwardsContract> = awardHandlers
export const snippetNoteAwardHandlers: Handlers<typeof snippetNoteAwardsContract> = awardHandlers
