import type { DiffEntry, ViewedFile } from '@stithy/core'
import { badge } from '../../../platform/design/badge.ts'
import { csrfField } from '../../../platform/design/form-fields.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { apiPath, withQuery } from '../../../platform/text/addresses.ts'
import { requestParams } from '../request-call.ts'
import type { ShownDiff } from './shown-diff.ts'

/** Which files of the shown version the viewer has viewed. */
export interface ViewedFiles {
  call: PageCall
  diff: ShownDiff
  /** Of the page of changes. */
  address: string
  byPath: ReadonlyMap<string, ViewedFile>
}

/**
 * Undefined for visitors, and where two versions are compared: what is viewed is a file of a version.
 * One call.
 */
export async function loadViewedFiles(
  call: PageCall,
  diff: ShownDiff,
  address: string,
): Promise<ViewedFiles | undefined> {
  if (call.csrfToken === '' || diff.start !== undefined) return undefined
  const version_id = diff.version.id
  const marked = await call.client.mergeRequests.viewedFiles.list({
    ...requestParams(call),
    version_id,
  })
  return { call, diff, address, byPath: new Map(marked.map((file) => [file.path, file])) }
}

/** Whether a file was viewed as the shown version has it. */
export function isViewed(files: ViewedFiles | undefined, { new_path: path }: DiffEntry): boolean {
  return files?.byPath.get(path)?.outdated === false
}

/** `3 of 12 viewed`. */
export function viewedProgress({ byPath, diff }: ViewedFiles): Html {
  const viewed = [...byPath.values()].filter(({ outdated }) => !outdated).length
  return html`<p class="muted" id="viewed-progress"><span data-viewed-count>${viewed}</span> of ${diff.version.real_size} viewed</p>`
}

/** The button that marks a file as viewed, or as not viewed. The script acts on it without a reload. */
export function viewedButton(files: ViewedFiles, entry: DiffEntry): Html {
  const { call, diff, address, byPath } = files
  const { new_path: path } = entry
  const isPressed = isViewed(files, entry)
  const { projectId, mergeRequestIid } = requestParams(call)
  const request = ['projects', projectId, 'merge_requests', mergeRequestIid]
  const api = apiPath(...request, 'viewed_files', path)
  const action = withQuery(`${address}/viewed`, {}, call.query)
  const changed = byPath.get(path)?.outdated === true && badge('Changed since you viewed it')
  return html`${changed}<form class="inline" method="post" action="${action}" data-viewed="${api}">${csrfField(call)}<input type="hidden" name="path" value="${path}"><input type="hidden" name="version_id" value="${diff.version.id}"><button class="viewed" name="viewed" value="${isPressed ? 0 : 1}" aria-pressed="${String(isPressed)}">Viewed<span class="hidden"> ${path}</span></button></form>`
}
