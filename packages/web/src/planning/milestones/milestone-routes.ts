import { type PageCall, parentOf } from '../../platform/pages/page-call.ts'
import { textPage } from '../../platform/pages/text-page.ts'
import { permitted } from '../../platform/routing/permitted.ts'
import { projectAndGroupRoutes } from '../../platform/routing/route.ts'
import { findMilestone } from './find-milestone.ts'
import {
  createMilestone,
  milestoneAction,
  showEditMilestone,
  showNewMilestone,
  updateMilestone,
} from './milestone-form-page.ts'
import { showMilestones } from './milestone-list-page.ts'
import { showMilestone } from './milestone-page.ts'

/** Who may create milestones may change all. */
const mayWrite = (call: PageCall) => call.permits.milestones.create(parentOf(call))

const showDescription = textPage(async (call) => (await findMilestone(call)).description)

export const milestoneRoutes = projectAndGroupRoutes((page, action) => [
  page('milestones', showMilestones),
  page('milestones/new', permitted(mayWrite, showNewMilestone)),
  action('milestones', createMilestone),
  page('milestones/:iid', showMilestone),
  page('milestones/:iid/description', showDescription),
  page('milestones/:iid/edit', permitted(mayWrite, showEditMilestone)),
  action('milestones/:iid', updateMilestone),
  action('milestones/:iid/promote', milestoneAction('promote')),
  action('milestones/:iid/delete', milestoneAction('remove')),
])
