import type { CallOptions, PagePromise } from '@stithy/client'
import type { Snippet } from '@stithy/core'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { address, projectAddress } from '../../platform/text/addresses.ts'

/** What a snippet is written with. */
export interface SnippetFields {
  title: string
  file_name: string
  content: string
  description: string
  visibility: Snippet['visibility']
}

/** The calls of the snippets of a project, or of the viewer. */
export interface SnippetCalls {
  /** Address of the list. */
  list: string
  all: (query: { page?: number }) => PagePromise<Snippet>
  show: (id: number) => Promise<Snippet>
  raw: (id: number, options?: CallOptions) => Promise<Response>
  create: (snippet: SnippetFields) => Promise<Snippet>
  update: (id: number, snippet: SnippetFields) => Promise<Snippet>
  remove: (id: number) => Promise<unknown>
}

export function snippetCalls({
  client: { snippets },
  params,
}: Pick<PageCall, 'client' | 'params'>): SnippetCalls {
  const { project: projectId } = params
  if (projectId === undefined) {
    return {
      list: address('snippets'),
      all: (query) => snippets.list(query),
      show: (snippetId) => snippets.show({ snippetId }),
      raw: (snippetId, options) => snippets.raw({ snippetId }, options),
      create: (snippet) => snippets.create(snippet),
      update: (snippetId, snippet) => snippets.update({ snippetId, ...snippet }),
      remove: (snippetId) => snippets.delete({ snippetId }),
    }
  }
  return {
    list: projectAddress(projectId, 'snippets'),
    all: (query) => snippets.list({ projectId, ...query }),
    show: (snippetId) => snippets.show({ projectId, snippetId }),
    raw: (snippetId, options) => snippets.raw({ projectId, snippetId }, options),
    create: (snippet) => snippets.create({ projectId, ...snippet }),
    update: (snippetId, snippet) => snippets.update({ projectId, snippetId, ...snippet }),
    remove: (snippetId) => snippets.delete({ projectId, snippetId }),
  }
}
