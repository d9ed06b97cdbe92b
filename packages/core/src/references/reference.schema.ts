/** Where a reference stands in its text, in UTF-16 units, the end left out. */
interface Span {
  start: number
  end: number
  /** As it is written. */
  text: string
}

/**
 * A reference as it is written (`#1`, `group/project!2`, `@name`, a full URL); whether there is such a thing
 * is not known. `path` is what it names before its sign: `group/project` or, next to the text's own project,
 * `project` alone; null where it names nothing.
 */
export type Reference = Span &
  (
    | { kind: 'user'; name: string }
    | {
        kind: 'issue' | 'merge_request' | 'snippet' | 'epic'
        path: string | null
        id: number
        /** Of a URL that names a note (`#note_12`). */
        noteId?: number
      }
    | { kind: 'milestone'; path: string | null; id?: number; title?: string }
    | { kind: 'label'; path: string | null; id?: number; title?: string }
    | { kind: 'commit'; path: string | null; sha: string }
    | { kind: 'commit_range'; path: string | null; from: string; to: string; dots: 2 | 3 }
  )

export type ReferenceKind = Reference['kind']
