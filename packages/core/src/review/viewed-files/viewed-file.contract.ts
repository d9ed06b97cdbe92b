import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, optional, timestamp } from '../../platform/contract/fields.ts'
import { maxViewedFiles } from './viewed-file.rules.ts'

const collection = '/projects/:id/merge_requests/:merge_request_iid/viewed_files'
const one = `${collection}/:file_path` as const
const params = z.object({ merge_request_iid: integer() })
const auth = { on: 'merge_request', ability: 'show_merge_request' } as const
const version = optional({ version_id: integer() })

/** A changed file that the caller has marked as viewed. */
export const ViewedFile = z.object({
  /** Its new path. */
  path: z.string(),
  viewed_at: timestamp,
  /** Whether the version has another content of it than was viewed, or doesn't change it. */
  outdated: z.boolean(),
})
export type ViewedFile = z.output<typeof ViewedFile>

/** Which changed files of a merge request the caller has viewed. */
export const viewedFilesContract = {
  list: endpoint({
    name: 'mergeRequests.viewedFiles.list',
    method: 'GET',
    path: collection,
    params,
    query: z.object(version),
    response: { 200: z.array(ViewedFile) },
    auth,
    errors: ['not_found', 'payload_too_large'],
    docs: {
      summary: 'List the viewed files of a merge request',
      description:
        'An extension. Those that the caller has marked, by path, compared with the files of ' +
        `\`version_id\`, by default the latest version. Of more than ${maxViewedFiles}, the marks ` +
        'that were made first are dropped.',
    },
  }),
  set: endpoint({
    name: 'mergeRequests.viewedFiles.set',
    method: 'PUT',
    path: one,
    params,
    body: z.object(version),
    response: { 200: ViewedFile },
    auth,
    errors: ['not_found', 'payload_too_large'],
    docs: {
      summary: 'Mark a file of a merge request as viewed',
      description:
        'An extension. For the caller alone. `version_id` is the version that was viewed, by ' +
        'default the latest; a version that does not change the file returns 404. The mark is ' +
        'outdated once a later version changes the file.',
    },
  }),
  remove: endpoint({
    name: 'mergeRequests.viewedFiles.delete',
    method: 'DELETE',
    path: one,
    params,
    response: { 204: null },
    auth,
    errors: ['not_found'],
    docs: {
      summary: 'Mark a file of a merge request as not viewed',
      description: 'An extension. For the caller alone.',
    },
  }),
}
