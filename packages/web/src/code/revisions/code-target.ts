import { isMissing } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'

/** A file or folder at a branch, tag or commit; the path is '' for the root. */
export interface CodeTarget {
  ref: string
  path: string
}

/** What was read of a target, and how its address was understood. */
export interface Located<T> extends CodeTarget {
  found: T
}

/**
 * Reads what an address with `<ref>/<path>` means, of which both may have slashes. The first segment
 * is most often the ref; if nothing is there, names of branches and tags that begin with the address
 * are looked up: two calls, and one more for the longest of them.
 * @param read throws what the API throws, 404 if there is nothing
 */
export async function locate<T>(
  call: PageCall,
  address: string,
  read: (target: CodeTarget) => Promise<T>,
): Promise<Located<T>> {
  const first = splitAt(address, address.indexOf('/'))
  try {
    return { ...first, found: await read(first) }
  } catch (error) {
    const ref = isMissing(error) ? await longestRef(call, address) : undefined
    if (ref === undefined) throw error
    const target = splitAt(address, ref.length)
    return { ...target, found: await read(target) }
  }
}

/** @param at where the slash after the ref is; less than 0 without a path */
function splitAt(address: string, at: number): CodeTarget {
  return at < 0 || at >= address.length
    ? { ref: address, path: '' }
    : { ref: address.slice(0, at), path: address.slice(at + 1) }
}

async function longestRef(
  { client, params }: PageCall,
  address: string,
): Promise<string | undefined> {
  const [first, second] = address.split('/')
  if (first === undefined || second === undefined) return undefined
  const query = {
    projectId: params.project ?? '',
    search: `^${first}/${second}`,
    per_page: 100,
  }
  const [branches, tags] = await loadAll([
    client.branches.list(query),
    client.tags.list({ ...query, order_by: 'name', sort: 'asc' }),
  ])
  const names = [...branches.items, ...tags.items].map(({ name }) => name)
  return names
    .filter((name) => address === name || address.startsWith(`${name}/`))
    .toSorted((one, other) => other.length - one.length)[0]
}
