import type { Tab } from '../design/navigation.ts'
import type { Html } from '../html/html.ts'

/** What a page belongs to, such as a project: its header and the links between its pages. */
export interface Place {
  /** Shown above the body, such as the name of a project with what it belongs to. */
  header: Html
  /** What the links lead through, for screen readers: `Project`. */
  label: string
  tabs: readonly Tab[]
  /** Full path of the project or group: what texts of the page refer to by `#1`. */
  project?: string
  group?: string
}
