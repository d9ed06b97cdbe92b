import { isItemReference, labelErrors, type Reference, scanReferences } from '@stithy/core'
import {
  findLabelRefs,
  listMentionedLabels,
  listMentionedUsers,
  listNumberedMilestones,
} from '@stithy/store'
import type { EpicItem, WorkItem } from '../items/item.ts'
import { planLabels } from '../labels/labelling.service.ts'
import { findReferencedItems } from '../mentions/referenced-items.service.ts'
import { findUsableMilestone } from '../milestones/milestone-views.service.ts'
import type { CommandContext } from './action-context.ts'

/** The maximum number of names resolved in one argument. */
const maxNames = 100

interface ParsedArgument {
  references: readonly Reference[]
  /** The plain words between the references. */
  words: readonly string[]
}

/** Splits an argument into references and plain words. */
function parseArgument({ app }: CommandContext, argument: string): ParsedArgument {
  const references = scanReferences(argument, { webUrl: app.config.externalUrl })
  let rest = ''
  let from = 0
  for (const { start, end } of references) {
    rest += `${argument.slice(from, start)} `
    from = end
  }
  rest += argument.slice(from)
  const words = rest.split(/[\s,]+/).filter((word) => word !== '' && word !== 'and')
  return { references: references.slice(0, maxNames), words: words.slice(0, maxNames) }
}

/** The ids of the users that `@name`, `name` and `me` refer to, in order. At most one query. */
export async function resolveUsers(context: CommandContext, argument: string): Promise<number[]> {
  const { references, words } = parseArgument(context, argument)
  const written = [
    ...references.flatMap((it) => (it.kind === 'user' ? [{ at: it.start, name: it.name }] : [])),
    ...words.map((name) => ({ at: argument.indexOf(name), name })),
  ].toSorted((a, b) => a.at - b.at)
  const names = written.map(({ name }) => name.toLowerCase())
  if (names.length === 0) return []
  const users = await listMentionedUsers(context.app.db, names)
  const byName = new Map(users.map(({ usernameLower, id }) => [usernameLower, id]))
  byName.set('me', context.user.id)
  return [...new Set(names.flatMap((name) => byName.get(name) ?? []))]
}

/**
 * The titles of the labels in an argument: `~name` and `~"two words"`, including labels that do not
 * exist yet, `~12` for a label by its id, and plain words that are titles of labels.
 */
export async function resolveLabelTitles(
  context: CommandContext,
  argument: string,
): Promise<string[]> {
  const { references, words } = parseArgument(context, argument)
  const labels = references.filter((it) => it.kind === 'label')
  const titles = labels.flatMap(({ title }) => title ?? [])
  const valid = titles.filter((title) => labelErrors({ title }) === undefined)
  const ids = labels.flatMap(({ id }) => id ?? [])
  const existing = await knownLabels(context, [...words, ...ids.map(String)])
  if (ids.length === 0) return [...new Set([...valid, ...existing])]
  return [...new Set([...valid, ...existing, ...(await titlesOf(context, ids))])]
}

/** The titles of labels by their ids, as far as the item can have them. At most three queries. */
async function titlesOf(
  { app, caller, item }: CommandContext,
  ids: readonly number[],
): Promise<string[]> {
  const named =
    item.type === 'epic'
      ? await findLabelRefs(app.db, ids)
      : await listMentionedLabels(app.db, { projectIds: [item.project.row.id], ids })
  const titles = named.map(({ title }) => title)
  const { labelIds } = await planLabels(app, caller, item, titles, { create: false })
  // Of a group, those of others with the same title are not meant.
  const usable = item.type === 'epic' ? labelIds.filter((id) => ids.includes(id)) : labelIds
  return (await findLabelRefs(app.db, usable)).map(({ title }) => title)
}

/** The titles that labels of the item's project have. At most two queries. */
export async function knownLabels(
  { app, caller, item }: CommandContext,
  words: readonly string[],
): Promise<string[]> {
  if (words.length === 0) return []
  const { labelIds } = await planLabels(app, caller, item, words, { create: false })
  return (await findLabelRefs(app.db, labelIds)).map(({ title }) => title)
}

/** The issues and merge requests in an argument that the caller may read. */
export async function resolveItems(context: CommandContext, argument: string): Promise<WorkItem[]> {
  const { app, caller, item } = context
  const references = parseArgument(context, argument).references.filter(isItemReference)
  const found = await findReferencedItems(app, caller, item, references)
  return found.filter((named) => named.type === 'issue' || named.type === 'merge_request')
}

/** The epic in an argument that the caller may read; `&1` is of the group of the item's project. */
export async function resolveEpic(
  context: CommandContext,
  argument: string,
): Promise<EpicItem | undefined> {
  const { app, caller, item } = context
  const references = parseArgument(context, argument).references.filter(isItemReference)
  const named = references.filter(({ kind }) => kind === 'epic').slice(0, 1)
  const found = await findReferencedItems(app, caller, item, named)
  return found.find((epic) => epic.type === 'epic')
}

/** The milestone that `%3`, `%name` or a title refers to in the item's project. One query. */
export async function resolveMilestone(
  context: CommandContext,
  argument: string,
): Promise<{ id: number } | undefined> {
  const { app, item } = context
  if (item.type === 'epic') return undefined
  const named = parseArgument(context, argument).references.find((it) => it.kind === 'milestone')
  if (named?.id === undefined || named.inGroup === true) {
    return findUsableMilestone(app, item.project, { title: named?.title ?? argument })
  }
  const numbered = { projectIds: [item.project.row.id], groupIds: [], iids: [named.id] }
  return (await listNumberedMilestones(app.db, numbered))[0]
}
