import { labelErrors, type Reference, scanReferences } from '@stithy/core'
import { findLabelRefs, listNamedUsers, listNumberedMilestones } from '@stithy/store'
import type { WorkItem } from '../items/item.ts'
import { planLabels } from '../labels/labelling.service.ts'
import { findNamedItems, isItemReference } from '../mentions/named-items.service.ts'
import { findUsableMilestone } from '../milestones/milestone-views.service.ts'
import type { Reading } from './action-reading.ts'

/** More names in one command are not looked at. */
const mostNames = 100

interface Named {
  references: readonly Reference[]
  /** What stands between them. */
  words: readonly string[]
}

/** What an argument names: references, and plain words beside them. */
function namesIn({ app }: Reading, argument: string): Named {
  const references = scanReferences(argument, { webUrl: app.config.externalUrl })
  let rest = ''
  let from = 0
  for (const { start, end } of references) {
    rest += `${argument.slice(from, start)} `
    from = end
  }
  rest += argument.slice(from)
  const words = rest.split(/[\s,]+/).filter((word) => word !== '' && word !== 'and')
  return { references: references.slice(0, mostNames), words: words.slice(0, mostNames) }
}

/** The users that `@name`, `name` and `me` stand for, by id, in their order. At most one query. */
export async function usersNamed(reading: Reading, argument: string): Promise<number[]> {
  const { references, words } = namesIn(reading, argument)
  const written = [
    ...references.flatMap((it) => (it.kind === 'user' ? [{ at: it.start, name: it.name }] : [])),
    ...words.map((name) => ({ at: argument.indexOf(name), name })),
  ].toSorted((a, b) => a.at - b.at)
  const names = written.map(({ name }) => name.toLowerCase())
  if (names.length === 0) return []
  const users = await listNamedUsers(reading.app.db, names)
  const byName = new Map(users.map(({ usernameLower, id }) => [usernameLower, id]))
  byName.set('me', reading.user.id)
  return [...new Set(names.flatMap((name) => byName.get(name) ?? []))]
}

/**
 * The titles of the labels that an argument names: `~name` and `~"two words"`, also of labels that are still
 * to be made, `~12` for a label by its id, and plain words where there is such a label.
 */
export async function labelsNamed(reading: Reading, argument: string): Promise<string[]> {
  const { references, words } = namesIn(reading, argument)
  const labels = references.filter((it) => it.kind === 'label')
  const titles = labels.flatMap(({ title }) => title ?? [])
  const fit = titles.filter((title) => labelErrors({ title }) === undefined)
  const ids = labels.flatMap(({ id }) => id ?? [])
  const known = await knownLabels(reading, [...words, ...ids.map(String)])
  if (ids.length === 0) return [...new Set([...fit, ...known])]
  const { app, item } = reading
  const byId = (await findLabelRefs(app.db, ids)).map(({ title }) => title)
  const usable = await planLabels(app, reading.caller, item.project, byId, { create: false })
  const found = await findLabelRefs(app.db, usable.labelIds)
  return [...new Set([...fit, ...known, ...found.map(({ title }) => title)])]
}

/** Those of the titles that labels of the item's project have. At most two queries. */
export async function knownLabels(
  { app, caller, item }: Reading,
  words: readonly string[],
): Promise<string[]> {
  if (words.length === 0) return []
  const { labelIds } = await planLabels(app, caller, item.project, words, { create: false })
  return (await findLabelRefs(app.db, labelIds)).map(({ title }) => title)
}

/** The issues and merge requests that an argument names, as far as the caller may read them. */
export async function itemsNamed(reading: Reading, argument: string): Promise<WorkItem[]> {
  const { app, caller, item } = reading
  const references = namesIn(reading, argument).references.filter(isItemReference)
  const found = await findNamedItems(app, caller, item, references)
  return found.filter((named) => named.type === 'issue' || named.type === 'merge_request')
}

/** The milestone that `%3`, `%name` or a plain title means in the project of the item. One query. */
export async function milestoneNamed(
  reading: Reading,
  argument: string,
): Promise<{ id: number } | undefined> {
  const { app, item } = reading
  const named = namesIn(reading, argument).references.find((it) => it.kind === 'milestone')
  if (named?.id === undefined || named.inGroup === true) {
    return findUsableMilestone(app, item.project, { title: named?.title ?? argument })
  }
  const numbered = { projectIds: [item.project.row.id], groupIds: [], iids: [named.id] }
  return (await listNumberedMilestones(app.db, numbered))[0]
}
