import { type NamedRef, parseRef, type RefUpdate } from '@stithy/core'
import { listRefs } from '@stithy/git'
import type { App } from '../app.ts'
import { type RepositoryPlace, repositoryOf } from '../repositories/repository.service.ts'
import type { RefRefusal } from './push-check.service.ts'

/**
 * What git itself would refuse, but only after it has kept the objects of the push: refs that have moved since
 * the pusher looked, and names that stand in the way of each other as files and folders do.
 */
export async function findLateRefusals(
  app: App,
  place: RepositoryPlace,
  updates: readonly RefUpdate[],
): Promise<RefRefusal[]> {
  const repository = repositoryOf(app, place)
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
  const reason = 'Somebody else has moved this in the meantime. Fetch, and try again.'
  return stale.map(({ update: { ref } }) => ({ ref, reason, fault: 'request' }))
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
      const reason = `The name stands in the way of ${clash}.`
      refusals.push({ ref: update.ref, reason, fault: 'request' })
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
