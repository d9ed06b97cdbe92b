import { instancePage } from '../../platform/routing/route.ts'
import { showHome } from './home-page.ts'

export const homeRoutes = [instancePage('', showHome), instancePage('dashboard', showHome)]
