import type { PersonalSnippet, Snippet, UserRef } from '@stithy/core'
import type { ListedSnippetRow } from '@stithy/store'
import type { Config } from '../config/config.ts'
import type { RawAnswer } from '../http/call.ts'
import { contentDisposition } from '../http/content-disposition.ts'
import { instantText } from '../http/instant.ts'
import { webUrl } from '../http/urls.ts'

type Authors = ReadonlyMap<number, UserRef>

/** Snippets as the calls of their project show them (catalogue: planning, 6). */
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

/** Snippets as the calls below `/snippets` show them. */
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
    updated_at: instantText(row.updatedAt),
    created_at: instantText(row.createdAt),
    project_id: row.projectId,
    web_url: webUrl(config, `${path === null ? '' : `${path}/`}snippets/${row.id}`),
  }
}

/** The content, as text that no browser runs; `attachment` has it saved rather than shown. */
export function presentContent(
  { id, fileName }: { id: number; fileName: string },
  content: string,
  { attachment }: { attachment: boolean },
): RawAnswer {
  // Of a path only its end names a file.
  const name = fileName.split(/[\\/]/).at(-1) || `snippet-${id}.txt`
  const body = Buffer.from(content)
  return {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(body.length),
      'content-disposition': contentDisposition(attachment ? 'attachment' : 'inline', name),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
    body,
  }
}
