import type { Namespace } from '@stithy/core'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'

/**
 * The first hundred namespaces in which the viewer may create projects.
 * @param search a part of the name or path
 */
export async function listTargetNamespaces(
  { client }: Pick<PageCall, 'client'>,
  search = '',
): Promise<readonly Namespace[]> {
  const namespaces = await client.namespaces.list({
    permission_scope: 'create_projects',
    per_page: 100,
    ...(search === '' ? {} : { search }),
  })
  return namespaces.items
}

export interface OpenNamespaces {
  /** Where the viewer can create a project now. */
  open: readonly Namespace[]
  /** The viewer's own, which is not open once it has as many projects as it may have. */
  own: Namespace | undefined
}

/** The first hundred namespaces that a form offers for a new project. */
export async function listOpenNamespaces(
  call: Pick<PageCall, 'client' | 'viewer'>,
): Promise<OpenNamespaces> {
  const [listed, viewer] = await loadAll([listTargetNamespaces(call), call.viewer()])
  const own = listed.find(({ kind, path }) => kind === 'user' && path === viewer?.username)
  // Who has as many projects of their own as they may have can create them in groups.
  const isFull = viewer?.can_create_project === false
  return { own, open: isFull ? listed.filter((each) => each !== own) : listed }
}
