import { codeLineReader } from '../references/code-lines.rules.ts'
import { taskLine } from './task-list.rules.ts'

interface Task {
  /** What stands behind the box. */
  text: string
  done: boolean
}

/** The tasks that a new description ticks or unticks, compared with the old one place by place. */
export function changedTasks(old: string, current: string): Task[] {
  const before = listTasks(old)
  if (before.length === 0) return []
  return listTasks(current).filter((task, place) => {
    const was = before[place]
    return was?.text === task.text && was.done !== task.done
  })
}

function listTasks(text: string): Task[] {
  if (!/\[[ xX]\]/.test(text)) return []
  const isCode = codeLineReader()
  const tasks: Task[] = []
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (isCode(line)) continue
    const box = taskLine.exec(line)?.[1]
    if (box === undefined) continue
    const behind = line.indexOf(`[${box}]`) + 3
    tasks.push({ text: line.slice(behind).trim(), done: box !== ' ' })
  }
  return tasks
}
