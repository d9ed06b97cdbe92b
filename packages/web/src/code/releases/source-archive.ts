import { archiveFormat } from '@stithy/core'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'

/**
 * `GET /<project>/archive/<tag>/<file>.<format>`, the address without a dash of a file that the server
 * sends by itself. It asks for no permission, so that a token in the request is checked where the file is.
 */
export async function leadToSourceArchive(call: PageCall): Promise<Reply> {
  const { file = '' } = call.params
  const [, suffix = ''] = /\.((?:tar\.)?[a-z0-9]+)$/.exec(file) ?? []
  // Else it may be a project in a group that is called `archive`.
  if (archiveFormat(suffix) === undefined || !file.includes('/')) throw missing()
  const [path = '', query] = call.address.split('?', 2)
  const target = projectAddress(projectPath(call), 'archive', file)
  if (target === path) throw missing()
  return redirect(query === undefined ? target : `${target}?${query}`)
}
