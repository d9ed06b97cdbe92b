import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { EpicItem, IssueItem } from './item.ts'

/**
 * What quick actions do with epics, if the caller may. The slices that do it use epics and issues, which
 * have quick actions; the app layer provides it.
 */
export interface EpicActions {
  /** Puts an issue into an epic that the caller may read. */
  assignIssue: (app: App, caller: Caller, epic: EpicItem, issue: IssueItem) => Promise<void>
  /** Takes an issue out of its epic; false if it is in none that the caller can read. */
  removeIssue: (app: App, caller: Caller, issue: IssueItem) => Promise<boolean>
  /** Makes an epic of an issue, in the group of its project. */
  promote: (app: App, caller: Caller, issue: IssueItem) => Promise<void>
  /** Makes an epic that the caller may read a child of another one. */
  assignChild: (app: App, caller: Caller, parent: EpicItem, child: EpicItem) => Promise<void>
  /** Makes a child of an epic one without a parent. */
  removeChild: (app: App, caller: Caller, parent: EpicItem, child: EpicItem) => Promise<void>
  /** Makes an epic one without a parent; false if it has none that the caller can read. */
  removeParent: (app: App, caller: Caller, child: EpicItem) => Promise<boolean>
}

declare module '../../platform/app.ts' {
  interface App {
    epicActions: EpicActions
  }
}
