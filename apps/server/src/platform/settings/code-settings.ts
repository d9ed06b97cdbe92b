import type { App } from '../app.ts'

const mebibyte = 1024 * 1024

/** Maximum size of the pack of a push or an import, in bytes; 0 for unlimited. */
export function maxInputBytes({ config, settings }: App): number {
  return (settings.receive_max_input_size ?? config.receiveMaxInputSize) * mebibyte
}
