import type { DiffRefs, ItemsQuery, MergeRequest } from '@stithy/core'
import type { MergeRequestRow, Page, PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { ItemChange, StateEvent } from './changes/item-change.ts'
import type { IssueItem, MergeRequestDraft, MergeRequestItem } from './item.ts'

/**
 * The operations on merge requests that the planning layer needs. It cannot import them from the
 * review layer; the app layer provides them.
 */
export interface MergeRequestActions {
  update: (
    app: App,
    caller: Caller,
    item: MergeRequestItem,
    change: ItemChange,
  ) => Promise<MergeRequestItem>
  /** The state event if it can have an effect. */
  possibleEvent: (
    app: App,
    item: MergeRequestItem,
    change: ItemChange,
  ) => Promise<StateEvent | undefined>
  /** Whether the target branch of the merge request can be changed to this one. */
  canRetarget: (
    app: App,
    item: MergeRequestItem | MergeRequestDraft,
    branch: string,
  ) => Promise<boolean>
  /**
   * Merges the merge request if the caller may, or lets it wait for its pipeline; false if neither
   * happened.
   */
  merge: (app: App, caller: Caller, item: MergeRequestItem) => Promise<boolean>
  /** Approves the merge request if the caller may. */
  approve: (app: App, caller: Caller, item: MergeRequestItem) => Promise<void>
  /** Creates a branch for an issue, and a merge request from it that closes the issue. */
  createForIssue: (app: App, caller: Caller, issue: IssueItem, branch: string) => Promise<boolean>
  /** Whether a version of the merge request spans these three commits. */
  hasVersion: (app: App, item: MergeRequestItem, refs: DiffRefs) => Promise<boolean>
  /** How many open merge requests close each of the issues, as far as the caller may see them. */
  countClosing: (
    app: App,
    caller: Caller,
    issueIds: readonly number[],
  ) => Promise<ReadonlyMap<number, number>>
  /** Those of a milestone that the caller may see, the newest first. */
  listOfMilestone: (
    app: App,
    caller: Caller,
    milestoneId: number,
    query: ItemsQuery,
    page: PageRequest,
  ) => Promise<Page<MergeRequest>>
  /** Presents merge requests for responses. */
  view: (
    app: App,
    caller: Caller,
    rows: readonly MergeRequestRow[],
    options?: { maxDescriptionLength?: number | undefined },
  ) => Promise<MergeRequest[]>
}

declare module '../../platform/app.ts' {
  interface App {
    mergeRequests: MergeRequestActions
  }
}
