import { type BrokerHost, defaultBrokerScript, openHost } from '../broker/host.ts'

let broker: Promise<BrokerHost> | undefined

/**
 * The broker shared by all tests of this process, which it exits with. A broker for each engine would
 * cost a fork of this large process and the start of a Node.js process each time.
 */
export function sharedBroker(): Promise<BrokerHost> {
  broker ??= openHost(defaultBrokerScript())
  return broker
}
