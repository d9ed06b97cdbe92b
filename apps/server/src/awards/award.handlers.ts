import {
  type Award,
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
  findAward,
  listAwards,
  type NoteRow,
  type Page,
  type PageRequest,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { Call, Handlers } from '../http/call.ts'
import { requireNote } from '../notes/note-found.service.ts'
import {
  type FindItem,
  type ItemCall,
  issueOf,
  mergeRequestOf,
  snippetOf,
} from '../notes/noteables.ts'
import { userRefs } from '../users/user-views.service.ts'
import { presentAwards } from './award.presenter.ts'
import {
  type AwardedItem,
  award,
  awardedOf,
  awardRefused,
  removeAward,
  requireAwarding,
} from './award.service.ts'

type AnyCall = ItemCall<unknown, object>
interface OneAward {
  params: { award_id: number }
}

/** What is awarded: the item of the call, or the note that it names. */
interface Found {
  item: AwardedItem
  note?: NoteRow | undefined
}

/** The handlers of the awards of one kind of thing (catalogue: issues, 9). */
function awardHandlers<C extends AnyCall>(find: (call: C) => Promise<Found>) {
  return {
    async list(call: C & { page: PageRequest }): Promise<Page<Award>> {
      const { app, page } = call
      const found = await listAwards(app.db, keyOf(await find(call)), page)
      return { ...found, items: await show(app, found.items) }
    },

    async show(call: C & OneAward): Promise<Award> {
      return showOne(call.app, await requireAward(call, await find(call)))
    },

    async create(call: C & { body: { name: string } }): Promise<Award> {
      const { app, caller, body } = call
      const { item, note } = await find(call)
      requireAwarding(caller, item)
      const given = await award(app, caller, item, body.name, note)
      if (given === undefined) throw awardRefused('has already been taken')
      return showOne(app, given)
    },

    async remove(call: C & OneAward & Pick<Call, 'headers'>): Promise<undefined> {
      const { app, caller, headers } = call
      const found = await find(call)
      const row = await requireAward(call, found)
      requireAwarding(caller, found.item)
      return removeAward(app, caller, row, headers)
    },
  }
}

function keyOf({ item, note }: Found) {
  const { type: targetType, id: targetId } = awardedOf(item, note)
  return { targetType, targetId }
}

/** @throws DomainError `not_found` */
async function requireAward({ app, params }: AnyCall & OneAward, found: Found): Promise<AwardRow> {
  const row = await findAward(app.db, { ...keyOf(found), id: params.award_id })
  if (row === undefined) throw notFound('Award Emoji')
  return row
}

async function show(app: App, rows: readonly AwardRow[]): Promise<Award[]> {
  const users = await userRefs(
    app,
    rows.map(({ userId }) => userId),
  )
  return presentAwards(rows, users)
}

async function showOne(app: App, row: AwardRow): Promise<Award> {
  const [shown] = await show(app, [row])
  if (shown === undefined) throw notFound('Award Emoji')
  return shown
}

function onItems<C extends AnyCall>(find: FindItem<C, AwardedItem>) {
  return awardHandlers(async (call: C) => ({ item: await find(call, 'read') }))
}

function onNotes<C extends AnyCall>(find: FindItem<C, AwardedItem>) {
  return awardHandlers(async (call: C & { params: { note_id: number } }) => {
    const item = await find(call, 'read')
    return { item, note: await requireNote(call.app, call.caller, item, call.params) }
  })
}

export const issueAwardHandlers: Handlers<typeof issueAwardsContract> = onItems(issueOf)
export const issueNoteAwardHandlers: Handlers<typeof issueNoteAwardsContract> = onNotes(issueOf)
export const mergeRequestAwardHandlers: Handlers<typeof mergeRequestAwardsContract> =
  onItems(mergeRequestOf)
export const mergeRequestNoteAwardHandlers: Handlers<typeof mergeRequestNoteAwardsContract> =
  onNotes(mergeRequestOf)
export const snippetAwardHandlers: Handlers<typeof snippetAwardsContract> = onItems(snippetOf)
export const snippetNoteAwardHandlers: Handlers<typeof snippetNoteAwardsContract> =
  onNotes(snippetOf)
