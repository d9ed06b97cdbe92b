/** Who made a change, and when; milliseconds since the epoch. */
export interface ChangeBy {
  /** Null for changes by the server itself. */
  userId: number | null
  /**
   * Timestamp of the notes and events and of `updated_at`; owners may set it to a time in the past.
   */
  at: number
  /** When the change was really made. */
  now: number
}

/**
 * The payload of each kind of change. A slice adds its kinds by declaration merging, in
 * `<resource>.changes.ts`.
 *
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: slices extend it.
export interface Changes {}

export type ChangeKind = keyof Changes

/** A recorded change, such as `issue.closed`. */
export type Change<K extends ChangeKind = ChangeKind> = {
  [N in K]: { readonly kind: N } & Readonly<ChangeBy> & Readonly<Changes[N]>
}[K]
