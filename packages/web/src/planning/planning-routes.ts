import type { Route } from '../platform/routing/route.ts'
import { boardRoutes } from './boards/board-routes.ts'
import { epicRoutes } from './epics/epic-routes.ts'
import { issueRoutes } from './issues/issue-routes.ts'
import { labelRoutes } from './labels/label-routes.ts'
import { milestoneRoutes } from './milestones/milestone-routes.ts'
import { snippetRoutes } from './snippets/snippet-routes.ts'
import { todoRoutes } from './todos/todo-routes.ts'
import { wikiRoutes } from './wikis/wiki-routes.ts'

/** The pages of planning. */
export const planningRoutes: readonly Route[] = [
  ...boardRoutes,
  ...epicRoutes,
  ...issueRoutes,
  ...labelRoutes,
  ...milestoneRoutes,
  ...snippetRoutes,
  ...todoRoutes,
  ...wikiRoutes,
]
