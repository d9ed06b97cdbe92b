import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CliError, exitCodes } from '../cli-error.ts'
import type { CliIo } from '../cli-io.ts'

/** Prompts for one line without echo; reads the first line if stdin is not a terminal. */
export async function promptSecret({ stdin, stderr }: CliIo, question: string): Promise<string> {
  const terminal = stdin.isTTY === true
  if (terminal) stderr.write(question)
  // The line editor echoes its input: discards it.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('SIGINT', () => reject(new CliError('Interrupted', exitCodes.interrupted)))
      lines.once('close', () => resolve(''))
    })
  } finally {
    lines.close()
    if (terminal) stderr.write('\n')
  }
}
