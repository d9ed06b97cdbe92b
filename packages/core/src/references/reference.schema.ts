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
 * `project` alone; of an epic, the group. Null where it names nothing.
 */
export type Reference = Span &
  (
    | {
        kind: 'user'
        /** Of a user, or the full path of a group, as it is written. */
        name: string
      }
    | {
        kind: 'issue' | 'merge_request' | 'snippet' | 'epic'
        path: string | null
        /** `iid`; of a snippet its id. */
        id: number
        /** Of a URL that names a note (`#note_12`). */
        noteId?: number
      }
    | {
        kind: 'milestone'
        path: string | null
        /** `iid` */
        id?: number
        title?: string
        /** Of a URL that names a milestone of the group `path`. */
        inGroup?: true
      }
    | { kind: 'label'; path: string | null; id?: number; title?: string }
    | {
        kind: 'commit'
        path: string | null
        /** 7 to 40 hex digits, in small letters. */
        sha: string
      }
    | { kind: 'commit_range'; path: string | null; from: string; to: string; dots: 2 | 3 }
  )

export type ReferenceKind = Reference['kind']

/** A reference without its place. */
export type ReferenceTarget = Reference extends infer R
  ? R extends Span
    ? Omit<R, keyof Span>
    : never
  : never
