import { type NamedRef, parseRef, type RefUpdate } from '@stithy/core'
import { listRefs } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import {
  type RepositoryLocation,
  repositoryOf,
} from '../../platform/repositories/repository-location.ts'
import type { RefRefusal } from './push-check.service.ts'

/**
 * What git itself would refuse, but only after it has stored the objects of the push: refs that
 * moved since the client read them, and names that conflict as files and directories do.
 */
export async function findRefConflicts(
  app: App,
  project: RepositoryLocation,
  updates: readonly RefUpdate[],
): Promise<RefRefusal[]> {
  const repository = repositoryOf(app, project)
  const refusals: RefRefusal[] = []
  for (const type of ['branch', 'tag'] as const) {
    const named = updates.flatMap((update) => {
      const found = parseRef(update.ref)
      return found?.type === type ? [{ update, name: found.name }] : []
    })
    if (named.length === 0) continue
    const refs = await listRefs(app.git, repository, type === 'branch' ? 'heads' : 'tags')
    const current = new Map(refs.map(({ name, oid }) => [name, oid]))
    refusals.push(...refuseStale(named, current), ...refuseClashes(named, current.keys()))
  }
  return refusals
}

interface NamedUpdate extends Pick<NamedRef, 'name'> {
  update: RefUpdate
}

function refuseStale(
  named: readonly NamedUpdate[],
  current: ReadonlyMap<string, string>,
): RefRefusal[] {
  const stale = named.filter(({ update, name }) => update.before !== (current.get(name) ?? null))
  const reason = 'The ref was changed in the meantime. Fetch, and try again.'
  return stale.map(({ update: { ref } }) => ({ ref, reason, cause: 'request' }))
}

function refuseClashes(named: readonly NamedUpdate[], existing: Iterable<string>): RefRefusal[] {
  const taken = new Set(existing)
  const created = named.filter(({ update }) => update.before === null && update.after !== null)
  if (created.length === 0) return []
  const folders = new Set([...taken].flatMap(foldersOf))
  const refusals: RefRefusal[] = []
  for (const { update, name } of created) {
    const clash = folders.has(name) ? `${name}/…` : foldersOf(name).find((part) => taken.has(part))
    if (clash !== undefined) {
      const reason = `The name conflicts with the ref ${clash}.`
      refusals.push({ ref: update.ref, reason, cause: 'request' })
    }
    taken.add(name)
    for (const folder of foldersOf(name)) folders.add(folder)
  }
  return refusals
}

/** `a/b/c`: `a` and `a/b`. */
function foldersOf(name: string): string[] {
  const parts = name.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
