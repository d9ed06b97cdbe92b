import type { Client, ContentRequest } from '@stithy/client'
import type { AdminUser, CurrentUser } from '@stithy/core'
import type { Form } from '../forms/form.ts'
import type { Permits } from './permits.ts'

/** The user who looks at a page. */
export type Viewer = AdminUser | CurrentUser

export function isAdministrator(viewer: Viewer | null): boolean {
  return viewer !== null && 'is_admin' in viewer && viewer.is_admin
}

/** The full path of the project that a page belongs to. */
export function projectPath({ params }: Pick<PageCall, 'params'>): string {
  return params.project ?? ''
}

/** The project or group that a page belongs to, as a parameter of the API. */
type PageParent = { projectId: string } | { groupId: string }

export function parentOf({ params }: Pick<PageCall, 'params'>): PageParent {
  return params.project === undefined
    ? { groupId: params.group ?? '' }
    : { projectId: params.project }
}

/** One request for a page. */
export interface PageCall {
  /** Calls the API as the viewer: what the API hides is hidden. */
  readonly client: Client
  /** Asks the API whether the viewer may make a call. */
  readonly permits: Permits
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Empty for reads. */
  readonly form: Form
  /** The path and query of this page, without those of the origin. */
  readonly address: string
  /** The token that every form of the page must send back; '' for visitors. */
  readonly csrfToken: string
  /** What is asked for of the bytes of a file, if the page forwards some. */
  readonly content: ContentRequest
  readonly now: number
  /** Who looks at the page; null for visitors. One call, made once. */
  readonly viewer: () => Promise<Viewer | null>
}
