// What the OpenAPI document says beside the routes.
import type { SwaggerOptions } from '@fastify/swagger'
import { API_VERSION } from './present.ts'

export const OPENAPI: SwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Gateway for money contracts',
      version: API_VERSION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Draft a transfer contract, mend it until its preview is valid, issue it, pay it from a wallet. The money moves through a channel exactly once, or comes back.',
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Transfer contracts' },
      { name: 'Channels' },
      { name: 'Wallets' },
      { name: 'Events' },
      { name: 'Tokens' },
      { name: 'Health' },
    ],
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  },
}
