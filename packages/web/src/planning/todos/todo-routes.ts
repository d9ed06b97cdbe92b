import { instanceAction, instancePage, type Route } from '../../platform/routing/route.ts'
import { finishAllTodos, finishTodo, showTodos } from './todo-list-page.ts'

export const todoRoutes: readonly Route[] = [
  instancePage('dashboard/todos', showTodos),
  instanceAction('dashboard/todos/done', finishAllTodos),
  instanceAction('dashboard/todos/:id/done', finishTodo),
]
