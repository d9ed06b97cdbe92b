import type { Page } from '@stithy/client'
import type { DiffEntry, MergeRequestDetail, MergeRequestVersion } from '@stithy/core'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { pageNumber } from '../../../platform/pages/page-number.ts'
import { missing } from '../../../platform/pages/refusal.ts'
import { requestParams } from '../request-call.ts'
import { diffPart } from './diff-part.ts'

/** The three commits that a comment on a line names. */
export interface DiffRefs {
  base_sha: string | null
  start_sha: string
  head_sha: string
}

/** The part of a diff that an address asks for. */
export interface ShownDiff {
  /** Newest first. */
  versions: readonly MergeRequestVersion[]
  version: MergeRequestVersion
  /** The older version that it is compared with, instead of the merge base. */
  start: MergeRequestVersion | undefined
  refs: DiffRefs
  files: Pick<Page<DiffEntry>, 'items' | 'total' | 'page' | 'totalPages' | 'nextPage' | 'prevPage'>
  /** The only file that is shown: then the pages are those of its lines. */
  path: string | undefined
}

/** Files of a page. */
const perPage = 30

/**
 * Reads the diff of an address: `diff_id` is a version and `start_sha` the head of an older one, as in
 * the links of v4 servers; `w=1` ignores white space, `path` is the only file. Two calls in turn.
 */
export async function loadDiff(call: PageCall): Promise<ShownDiff> {
  const { client, query } = call
  const params = requestParams(call)
  const versions = (await client.mergeRequests.versions.list({ ...params, per_page: 100 })).items
  const id = query.get('diff_id')
  const version = id === null ? versions[0] : versions.find((each) => String(each.id) === id)
  if (version === undefined) throw missing()
  const startSha = query.get('start_sha') ?? ''
  const start = versions.find((each) => each.head_commit_sha === startSha && each.id < version.id)
  const path = query.get('path') || undefined
  const files = await client.mergeRequests.diffs.list({
    ...params,
    version_id: version.id,
    per_page: perPage,
    ...(start === undefined ? {} : { start_version_id: start.id }),
    ...(query.get('w') === '1' ? { ignore_whitespace: true } : {}),
    ...(path === undefined ? pageNumber(query) : { path }),
  })
  const shown = { versions, version, start, refs: refsOf(version), path }
  return path === undefined ? { ...shown, files } : { ...shown, ...aloneIn(files, query) }
}

/** The only file of a page, of a long one the part that the address asks for. */
function aloneIn(files: Page<DiffEntry>, query: URLSearchParams): Pick<ShownDiff, 'files'> {
  const [file] = files.items
  if (file === undefined) return { files }
  const { diff, part, parts } = diffPart(file.diff, pageNumber(query).page ?? 1)
  const position = {
    page: part,
    totalPages: parts,
    nextPage: part < parts ? part + 1 : null,
    prevPage: part > 1 ? part - 1 : null,
  }
  return { files: { items: [{ ...file, diff }], total: 1, ...position } }
}

function refsOf(version: MergeRequestVersion): DiffRefs {
  return {
    base_sha: version.base_commit_sha,
    start_sha: version.start_commit_sha,
    head_sha: version.head_commit_sha,
  }
}

/** Whether lines can be commented on: of a version against its merge base. */
export function isCommentable({ start, version }: ShownDiff, request: MergeRequestDetail): boolean {
  return start === undefined && version.base_commit_sha !== null && request.state !== 'locked'
}
