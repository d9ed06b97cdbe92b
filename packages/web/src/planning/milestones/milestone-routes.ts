import { projectAndGroupRoutes } from '../../platform/routing/route.ts'
import {
  createMilestone,
  milestoneAction,
  showEditMilestone,
  showNewMilestone,
  updateMilestone,
} from './milestone-form-page.ts'
import { showMilestones } from './milestone-list-page.ts'
import { showMilestone } from './milestone-page.ts'

export const milestoneRoutes = projectAndGroupRoutes((page, action) => [
  page('milestones', showMilestones),
  page('milestones/new', showNewMilestone),
  action('milestones', createMilestone),
  page('milestones/:iid', showMilestone),
  page('milestones/:iid/edit', showEditMilestone),
  action('milestones/:iid', updateMilestone),
  action('milestones/:iid/promote', milestoneAction('promote')),
  action('milestones/:iid/delete', milestoneAction('remove')),
])
