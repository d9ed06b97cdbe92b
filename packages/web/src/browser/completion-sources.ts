import { callApi, pageGroup, pageProject } from './api.ts'
import { emoji } from './emoji.ts'

/** What may be inserted, and how it is shown. */
export interface Choice {
  /** Replaces what was typed, with its first character. */
  text: string
  /** Shown beside it. */
  about: string
}

export type Find = (word: string, signal: AbortSignal) => Promise<Choice[]>

const perPage = 'per_page=8'

/** The address of the API of the project of the page, or of its group. */
function owner(of: 'project' | 'any' = 'any'): string | undefined {
  const project = pageProject()
  if (project !== undefined) return `/projects/${encodeURIComponent(project)}`
  const group = pageGroup()
  return of === 'any' && group !== undefined ? `/groups/${encodeURIComponent(group)}` : undefined
}

interface Named {
  username: string
  name: string
}

async function findUsers(word: string, signal: AbortSignal): Promise<Choice[]> {
  const project = owner('project')
  const path = project === undefined ? '/users' : `${project}/users`
  const query = `search=${encodeURIComponent(word)}&${perPage}`
  const users = await callApi<Named[]>(`${path}?${query}`, { signal })
  return (users ?? []).map(({ username, name }) => ({ text: `@${username}`, about: name }))
}

interface Item {
  iid: number
  title: string
}

function findItems(sign: '#' | '!', resource: string): Find {
  return async (word, signal) => {
    const at = owner()
    if (at === undefined) return []
    const isNumber = /^\d{1,9}$/.test(word)
    const filter = isNumber
      ? `iids[]=${word}`
      : `state=opened&in=title&search=${encodeURIComponent(word)}`
    const items = await callApi<Item[]>(`${at}/${resource}?scope=all&${filter}&${perPage}`, {
      signal,
    })
    return (items ?? []).map(({ iid, title }) => ({ text: `${sign}${iid}`, about: title }))
  }
}

/** A title in a reference, in quotes where it is more than a word. */
export function quoted(title: string): string {
  return /^[\p{L}\p{N}_-]+$/u.test(title) ? title : `"${title}"`
}

async function findLabels(word: string, signal: AbortSignal): Promise<Choice[]> {
  const at = owner()
  if (at === undefined) return []
  const query = `search=${encodeURIComponent(word)}&${perPage}`
  const labels = await callApi<{ name: string; description: string | null }[]>(
    `${at}/labels?${query}`,
    { signal },
  )
  const lower = word.toLowerCase()
  return (labels ?? [])
    .filter(({ name }) => name.toLowerCase().includes(lower))
    .map(({ name, description }) => ({ text: `~${quoted(name)}`, about: description ?? '' }))
}

async function findMilestones(word: string, signal: AbortSignal): Promise<Choice[]> {
  const at = owner()
  if (at === undefined) return []
  const query = `state=active&search=${encodeURIComponent(word)}&${perPage}`
  const found = await callApi<{ title: string; due_date: string | null }[]>(
    `${at}/milestones?${query}`,
    { signal },
  )
  return (found ?? []).map(({ title, due_date: due }) => ({
    text: `%${quoted(title)}`,
    about: due === null ? '' : `due ${due}`,
  }))
}

async function findEmoji(word: string): Promise<Choice[]> {
  const names = Object.keys(emoji).filter((name) => name.includes(word.toLowerCase()))
  const sorted = names.sort((a, b) => a.indexOf(word) - b.indexOf(word))
  return sorted.slice(0, 8).map((name) => ({ text: `:${name}:`, about: emoji[name] ?? '' }))
}

/** What each sign completes. */
export const sources: Readonly<Record<string, Find>> = {
  '@': findUsers,
  '#': findItems('#', 'issues'),
  '!': findItems('!', 'merge_requests'),
  '~': findLabels,
  '%': findMilestones,
  ':': findEmoji,
}
