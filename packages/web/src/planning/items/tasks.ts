import { codeLineReader, taskLine } from '@stithy/core'

/** A task of a description. */
export interface Task {
  /** Its place among all tasks, from 0. */
  at: number
  text: string
  isDone: boolean
}

/** The tasks of a description, as the API counts them. */
export function tasksOf(description: string): Task[] {
  const tasks: Task[] = []
  eachTask(description, (line, box) => {
    const text = line.slice(line.indexOf(`[${box}]`) + 3).trim()
    tasks.push({ at: tasks.length, text, isDone: box !== ' ' })
    return line
  })
  return tasks
}

/** A description in which one task is done, or to be done again. */
export function withTask(description: string, at: number, isDone: boolean): string {
  let index = 0
  return eachTask(description, (line, box) => {
    const own = index === at ? line.replace(`[${box}]`, isDone ? '[x]' : '[ ]') : line
    index += 1
    return own
  })
}

function eachTask(description: string, change: (line: string, box: string) => string): string {
  const isCode = codeLineReader()
  const lines = description.split('\n').map((line) => {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    const box = isCode(text) ? undefined : taskLine.exec(text)?.[1]
    return box === undefined ? line : change(line, box)
  })
  return lines.join('\n')
}
