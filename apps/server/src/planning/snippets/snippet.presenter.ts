import type { PersonalSnippet, Snippet, UserRef } from '@stithy/core'
import type { ListedSnippetRow } from '@stithy/store'
import type { Config } from '../../platform/config/config.ts'
import type { Content } from '../../platform/http/call.ts'
import { partOf } from '../../platform/http/content.ts'
import { contentDisposition } from '../../platform/http/content-disposition.ts'
import { strongEntityTag } from '../../platform/http/entity-tag.ts'
import { sandboxHeaders } from '../../platform/http/sandbox.ts'
import { timestampText } from '../../platform/http/timestamp.ts'
import { webUrl } from '../../platform/http/urls.ts'

type Authors = ReadonlyMap<number, UserRef>

/** Presents snippets for `/projects/:id/snippets`. */
export function presentSnippets(
  config: Config,
  rows: readonly ListedSnippetRow[],
  authors: Authors,
): Snippet[] {
  return rows.flatMap((row) => {
    const author = authors.get(row.authorId)
    return author === undefined ? [] : [presentSnippet(config, row, author)]
  })
}

/** Presents snippets for `/snippets`. */
export function presentPersonalSnippets(
  config: Config,
  rows: readonly ListedSnippetRow[],
  authors: Authors,
): PersonalSnippet[] {
  return presentSnippets(config, rows, authors).map((snippet) => ({
    ...snippet,
    raw_url: `${snippet.web_url}/raw`,
  }))
}

function presentSnippet(config: Config, row: ListedSnippetRow, author: UserRef): Snippet {
  const { projectFullPath: path } = row
  return {
    id: row.id,
    title: row.title,
    file_name: row.fileName,
    description: row.description,
    visibility: row.visibility,
    author,
    updated_at: timestampText(row.updatedAt),
    created_at: timestampText(row.createdAt),
    project_id: row.projectId,
    web_url: webUrl(config, `${path === null ? '' : `${path}/`}snippets/${row.id}`),
  }
}

/** The content as text that browsers do not execute; `attachment` makes them download it. */
export function presentContent(
  { id, fileName }: { id: number; fileName: string },
  content: string,
  { attachment }: { attachment: boolean },
): Content {
  // The last segment of a path is the file name.
  const name = fileName.split(/[\\/]/).at(-1) || `snippet-${id}.txt`
  const bytes = Buffer.from(content)
  return {
    etag: strongEntityTag(bytes),
    size: bytes.length,
    describe: () => ({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': contentDisposition(attachment ? 'attachment' : 'inline', name),
      ...sandboxHeaders,
    }),
    open: (range) => partOf(bytes, range),
  }
}
