import { redirect } from '../../platform/pages/reply.ts'
import { instanceAction, instancePage } from '../../platform/routing/route.ts'
import { specimenAddress } from './specimen.ts'
import { showStyleguide } from './styleguide-page.ts'

/** The page of the components; the forms on it change nothing. */
export const styleguideRoutes = [
  instancePage('-/styleguide', showStyleguide),
  instanceAction('-/styleguide/*path', async () => redirect(specimenAddress)),
]
