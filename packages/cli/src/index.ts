export { CliError, exitCodes } from './cli-error.ts'
export { type CliIo, type Input, type Interruption, type Output, processIo } from './cli-io.ts'
export { buildProgram } from './program.ts'
export { runProgram } from './run-program.ts'
