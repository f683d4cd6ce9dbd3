// A road to a server, of one gateway alone, that can be cut: it is away for that gateway, and there for all others.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type pg from 'pg'

export type Road = {
  /** The server at the other end of it. */
  readonly connection: pg.ClientConfig
  readonly cut: () => Promise<void>
  readonly mend: () => Promise<void>
}

export async function openRoad(to: pg.ClientConfig): Promise<Road> {
  const { host = '', port = 5432 } = to
  const target = host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port }
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target)
    for (const each of [near, far]) {
      sockets.add(each)
      each.on('error', () => undefined)
      each.on('close', () => {
        sockets.delete(each)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  await listen(0)
  const own = (server.address() as AddressInfo).port
  return {
    connection: { ...to, host: '127.0.0.1', port: own },
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const each of sockets) each.destroy()
      }),
    mend: () => listen(own),
  }
}
