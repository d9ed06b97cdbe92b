import type { Namespace } from '@stithy/core'
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
