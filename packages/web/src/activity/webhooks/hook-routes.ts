import { groupAction, groupPage, projectAction, projectPage } from '../../platform/routing/route.ts'
import { addHook, deleteHook, saveHook, testHook } from './hook-actions.ts'
import { showHooks } from './hook-list-page.ts'
import { showHookPage } from './hook-page.ts'

export const hookRoutes = [
  { page: projectPage, action: projectAction },
  { page: groupPage, action: groupAction },
].flatMap(({ page, action }) => [
  page('hooks', showHooks),
  page('settings/integrations', showHooks),
  page('hooks/:id/edit', showHookPage),
  action('hooks', addHook),
  action('hooks/:id/edit', saveHook),
  action('hooks/:id/test', testHook),
  action('hooks/:id/delete', deleteHook),
])
