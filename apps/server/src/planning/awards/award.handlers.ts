import {
  type Award,
  type AwardCount,
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
import {
  type AwardRow,
  countAwards,
  countAwardsOfNotes,
  listAwards,
  type Page,
} from '@stithy/store'
import { userRefs } from '../../directory/users/user-views.service.ts'
import type { App } from '../../platform/app.ts'
import type { CallOn, Handlers } from '../../platform/http/call.ts'
import { presentAwardCounts, presentAwards } from './award.presenter.ts'
import { type AwardableItem, award, awardRefused, removeAward } from './award.service.ts'
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

/** Counting the awards of an item and of some of its notes. Two queries. */
const statisticsHandlers = {
  async statistics(
    call: CallOn<AwardableItem> & { query: { note_ids?: number[] | undefined } },
  ): Promise<AwardCount[]> {
    const { app, caller, subject, query } = call
    const userId = caller.facts.userId ?? 0
    const noteable = { noteableType: subject.type, noteableId: subject.row.id }
    const noteIds = query.note_ids ?? []
    const [own, ofNotes] = await Promise.all([
      countAwards(app.db, { ...awardKey(subject), userId }),
      noteIds.length === 0 ? [] : countAwardsOfNotes(app.db, { ...noteable, noteIds, userId }),
    ])
    return presentAwardCounts([...own, ...ofNotes])
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

const itemAwardHandlers = { ...awardHandlers, ...statisticsHandlers }

export const epicAwardHandlers: Handlers<typeof epicAwardsContract> = itemAwardHandlers
export const epicNoteAwardHandlers: Handlers<typeof epicNoteAwardsContract> = awardHandlers
export const issueAwardHandlers: Handlers<typeof issueAwardsContract> = itemAwardHandlers
export const issueNoteAwardHandlers: Handlers<typeof issueNoteAwardsContract> = awardHandlers
export const mergeRequestAwardHandlers: Handlers<typeof mergeRequestAwardsContract> =
  itemAwardHandlers
export const mergeRequestNoteAwardHandlers: Handlers<typeof mergeRequestNoteAwardsContract> =
  awardHandlers
export const snippetAwardHandlers: Handlers<typeof snippetAwardsContract> = itemAwardHandlers
export const snippetNoteAwardHandlers: Handlers<typeof snippetNoteAwardsContract> = awardHandlers
