import { projectAction, projectPage } from '../../platform/routing/route.ts'
import { addRule, deleteRule, saveApprovals, saveMerging, saveRule } from './approval-actions.ts'
import { showMergeRequestSettings } from './merge-request-settings-page.ts'

const base = 'settings/merge_requests'

export const approvalRoutes = [
  projectPage(base, showMergeRequestSettings),
  projectAction(base, saveMerging),
  projectAction(`${base}/approvals`, saveApprovals),
  projectAction(`${base}/rules`, addRule),
  projectAction(`${base}/rules/:id`, saveRule),
  projectAction(`${base}/rules/:id/delete`, deleteRule),
]
