import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { EpicItem, IssueItem } from './item.ts'

/**
 * What quick actions do with the epic of an issue. The slice that does it uses issues, which have
 * quick actions; the app layer provides it.
 */
export interface EpicIssueActions {
  /** Puts an issue into an epic that the caller may read, if they may. */
  assign: (app: App, caller: Caller, issue: IssueItem, epic: EpicItem) => Promise<void>
  /** Takes an issue out of its epic, if the caller may; false if it is in none that they can read. */
  remove: (app: App, caller: Caller, issue: IssueItem) => Promise<boolean>
}

declare module '../../platform/app.ts' {
  interface App {
    epicIssues: EpicIssueActions
  }
}
