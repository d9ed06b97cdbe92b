import { codeLineReader } from '../references/code-lines.rules.ts'
import { taskLine } from './task-list.rules.ts'

interface Task {
  /** Text after the checkbox. */
  text: string
  done: boolean
}

/** The tasks that a new description checks or unchecks, compared with the old one by position. */
export function changedTasks(old: string, current: string): Task[] {
  const before = listTasks(old)
  if (before.length === 0) return []
  return listTasks(current).filter((task, position) => {
    const previous = before[position]
    return previous?.text === task.text && previous.done !== task.done
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
    const textStart = line.indexOf(`[${box}]`) + 3
    tasks.push({ text: line.slice(textStart).trim(), done: box !== ' ' })
  }
  return tasks
}
