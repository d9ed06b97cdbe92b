import { existsSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { tiers } from '../../platform/config/config.ts'

/** The options that `serve` and `admin` share: they select the data folder. */
export function addDataOptions(command: Command): Command {
  return command
    .option('--config <file>', 'configuration file (TOML); default: ./stithy.toml where it exists')
    .option('--data <folder>', 'folder of the database, repositories and uploads (default: ./data)')
    .option('--database-url <url>', 'postgres://… instead of SQLite in the data folder')
}

/** The options of `serve` and `worker`. */
export function addWorkerOptions(command: Command): Command {
  return command
    .option('--worker-concurrency <number>', 'jobs at the same time (default: 2)')
    .option('--worker-queues <names>', 'queues to serve, with commas (default: all)')
    .option('--worker-labels <names>', 'labels among the processes, with commas')
    .addOption(
      new Option('--durability <level>', 'when a write is answered (default: disk)').choices([
        'disk',
        'process',
      ]),
    )
    .addOption(new Option('--tier <name>', 'set of features (default: ultimate)').choices(tiers))
    .option('--external-url <url>', 'address under which clients reach the server')
    .option('--allow-local-requests-from-hooks-and-services', 'let hooks reach private addresses')
    .option('--webhook-timeout <seconds>', 'how long the answer to a hook is awaited')
    .option('--log-level <level>', 'silent, fatal, error, warn, info, debug or trace')
}

/** `stithy serve`. */
export function addServeCommand(program: Command): void {
  const command = program.command('serve').description('Run the server')
  addWorkerOptions(addDataOptions(command))
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--port <number>', 'port to listen on (default: 8080)')
    .option('--ssh-port <number>', 'port of git over SSH; 0 = off (default: 0)')
    .option('--default-branch <name>', 'first branch of repositories that the server fills')
    .option('--rate-limit-anonymous <number>', 'requests a second and address; 0 = no limit')
    .option(
      '--trust-proxy [proxies]',
      'believe the X-Forwarded-* headers of one proxy in front, of as many as given, or of those in the given networks',
    )
    // Both, so that neither is the default: the setting has one.
    .option('--worker', 'run jobs in the server (default)')
    .option('--no-worker', 'leave all jobs to `stithy worker`')
    .action(async (options: Record<string, unknown>) => {
      const { runServer } = await import('./run-server.ts')
      await runServer(settingsOf(options), configFile(options))
    })
}

/** `stithy worker`. */
export function addWorkerCommand(program: Command): void {
  const command = program
    .command('worker')
    .description('Run background jobs without serving requests, beside a server')
  addWorkerOptions(addDataOptions(command)).action(async (options: Record<string, unknown>) => {
    const { runWorker } = await import('./run-worker.ts')
    await runWorker(settingsOf(options), configFile(options))
  })
}

/** Maps commander's camelCase options to the names of settings. */
export function settingsOf(options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options)
      .filter(([name]) => name !== 'config')
      .map(([name, value]) => [name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), value]),
  )
}

/** The given file, or the one in the current folder. */
export function configFile(options: Record<string, unknown>): string | undefined {
  if (typeof options.config === 'string') return options.config
  return existsSync('stithy.toml') ? 'stithy.toml' : undefined
}
