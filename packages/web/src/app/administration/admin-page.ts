import type { SideLink } from '../../platform/design/side-navigation.ts'
import type { FailedForm } from '../../platform/forms/form-view.ts'
import type { Html } from '../../platform/html/html.ts'
import { isAdministrator } from '../../platform/pages/page-call.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { type PageReply, type Reply, redirect } from '../../platform/pages/reply.ts'
import { sidedPage } from '../../platform/pages/sided-page.ts'
import { signInAddress } from '../../platform/pages/sign-in-address.ts'
import { instanceAction, instancePage, type Route } from '../../platform/routing/route.ts'
import { address } from '../../platform/text/addresses.ts'

const areas = {
  overview: { text: 'Overview', path: '' },
  users: { text: 'Users', path: 'users' },
  groups: { text: 'Groups', path: 'groups' },
  projects: { text: 'Projects', path: 'projects' },
  jobs: { text: 'Jobs', path: 'jobs' },
  settings: { text: 'Settings', path: 'application_settings' },
  appearance: { text: 'Appearance', path: 'appearance' },
  messages: { text: 'Messages', path: 'broadcast_messages' },
  hooks: { text: 'System hooks', path: 'hooks' },
  deploy_keys: { text: 'Deploy keys', path: 'deploy_keys' },
  applications: { text: 'Applications', path: 'applications' },
  features: { text: 'Features', path: 'features' },
  license: { text: 'License', path: 'license' },
  audit_events: { text: 'Audit log', path: 'audit_events' },
} as const

/** A part of the administration. */
export type AdminArea = keyof typeof areas

/** The address of a part of the administration, or of a page below it. */
export function adminAddress(area: AdminArea, ...segments: readonly (string | number)[]): string {
  const { path } = areas[area]
  return address('admin', ...(path === '' ? [] : [path]), ...segments)
}

interface AdminView {
  area: AdminArea
  /** Default: the name of the area. */
  title?: string
  end?: Html | undefined
  failed?: FailedForm | undefined
  body: Html
  isSecret?: boolean | undefined
}

/** A page of the administration, with links to its other parts. */
export function adminPage({ area, ...view }: AdminView): PageReply {
  const links = Object.entries(areas).map(
    ([name, { text }]): SideLink => ({
      text,
      href: adminAddress(name as AdminArea),
      isCurrent: name === area,
    }),
  )
  return sidedPage({
    title: areas[area].text,
    ...view,
    of: 'Administration',
    label: 'Administration',
    links,
  })
}

type Handle = Route['handle']

/** Visitors sign in; for users who are no administrators the pages don't exist. */
function forAdministrators(handle: Handle): Handle {
  return async (call): Promise<Reply> => {
    const viewer = await call.viewer()
    if (viewer === null) return redirect(signInAddress(call))
    if (!isAdministrator(viewer)) throw missing()
    return handle(call)
  }
}

/** A page of an area: `showArea('users', ':id', handle)` is `/admin/users/:id`. */
export function showArea(area: AdminArea, pattern: string, handle: Handle): Route {
  return instancePage(patternOf(area, pattern), forAdministrators(handle))
}

/** The action of a form of an area. */
export function changeArea(area: AdminArea, pattern: string, handle: Handle): Route {
  return instanceAction(patternOf(area, pattern), forAdministrators(handle))
}

function patternOf(area: AdminArea, pattern: string): string {
  return ['admin', areas[area].path, pattern].filter((part) => part !== '').join('/')
}
