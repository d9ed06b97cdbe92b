import { instanceAction, instancePage } from '../../platform/routing/route.ts'
import { saveNotifications, showNotifications } from './notification-page.ts'

export const notificationRoutes = [
  instancePage('-/profile/notifications', (call) => showNotifications(call)),
  instanceAction('-/profile/notifications', saveNotifications),
]
