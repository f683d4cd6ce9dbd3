// Gateways as processes on a Citus cluster of a coordinator and two workers, with accounts on both workers.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import type pg from 'pg'
import type { GatewayChild } from '../gateway-child.ts'
import { type GatewayProcess, openGatewayProcess, rowsFrom } from '../gateway-process.ts'
import { type Receiver, startReceiver } from '../receiver/receiver.ts'
import { SANDBOX } from '../sagas/disturbed.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { openTenants, type Tenants } from './tenants.ts'

export type Stage = {
  readonly cluster: Cluster
  readonly gateway: GatewayProcess
  readonly gateways: readonly GatewayChild[]
  readonly receiver: Receiver
  readonly tenants: Tenants
  readonly owner: pg.ClientConfig
}

/** The database that the gateways work on. */
export const DATABASE = 'node_kills'

const SETTINGS = {
  // What is said of a worker in whose place another server is.
  LOG_LEVEL: 'warn',
  GATEWAY_DURABILITY: 'allow',
  GATEWAY_CALL_TIMEOUT_MS: '800',
  GATEWAY_LEASE_MS: '2500',
  GATEWAY_WEBHOOK_LEASE_MS: '2000',
  GATEWAY_WEBHOOK_TIMEOUT_MS: '1000',
  GATEWAY_WEBHOOK_RETRY_SCALE: '0.02',
}

type Wanted = { readonly gateways: number; readonly shards: number; readonly payersEach: number }

/** Starts all of it and ends it again; throws where it could not be run at all. */
export async function withGatewaysOnCluster<T>(
  kit: string,
  wanted: Wanted,
  use: (stage: Stage) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync('/tmp/gateway-node-kills-')
  // The servers' unprivileged user must be able to come through.
  chmodSync(folder, 0o755)
  const cluster = await startCluster(kit, folder, wanted.shards)
  const receiver = await startReceiver()
  try {
    const owner = await cluster.clone(DATABASE)
    const admin = cluster.coordinator.superuser('postgres')
    await rowsFrom(admin, `alter system set citus.recover_2pc_interval = '2s'`)
    await rowsFrom(admin, 'select pg_reload_conf()')
    await rowsFrom(admin, `alter database ${DATABASE} reset citus.log_remote_commands`)
    return await withGateways(owner, wanted.gateways, async (gateway, gateways) => {
      const nodes = cluster.workers.map(({ place }) => place)
      const urls = gateways.map(({ url }) => url)
      const tenants = await openTenants({ gateway, urls, owner, receiver }, nodes, wanted.payersEach)
      try {
        return await use({ cluster, gateway, gateways, receiver, tenants, owner })
      } finally {
        await tenants.close()
      }
    })
  } finally {
    await receiver.stop()
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withGateways<T>(
  owner: pg.ClientConfig,
  count: number,
  use: (gateway: GatewayProcess, gateways: readonly GatewayChild[]) => Promise<T>,
): Promise<T> {
  const { host, port, user, database } = owner
  const settings = { ...SETTINGS, DATABASE_URL: `postgres://${user}@${host}:${port}/${database}` }
  const gateway = await openGatewayProcess({ channels: [SANDBOX] }, settings)
  try {
    const gateways = [gateway.child]
    while (gateways.length < count) gateways.push(await gateway.addGateway())
    for (const each of gateways) {
      each.launch()
      await each.ready()
    }
    return await use(gateway, gateways)
  } finally {
    await gateway.remove()
  }
}
