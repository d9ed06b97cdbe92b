import { groupAction, groupPage, projectAction, projectPage } from '../../platform/routing/route.ts'
import { addBadge, deleteBadge, saveBadge, showBadgeEdit, showBadges } from './badge-pages.ts'

const base = 'settings/badges'

export const badgeRoutes = [
  { page: projectPage, action: projectAction },
  { page: groupPage, action: groupAction },
].flatMap(({ page, action }) => [
  page(base, showBadges),
  page(`${base}/:id/edit`, showBadgeEdit),
  action(base, addBadge),
  action(`${base}/:id/edit`, saveBadge),
  action(`${base}/:id/delete`, deleteBadge),
])
