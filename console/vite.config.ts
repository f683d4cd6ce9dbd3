// How the console is built: into files whose names hold a hash, for a gateway that serves them under /console.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  // The gateway puts a new nonce in its place with each page (src/http/sites/console.ts).
  html: { cspNonce: '__NONCE__' },
  build: {
    target: 'es2022',
    outDir: '../dist/console-plain',
    emptyOutDir: true,
    // The policy of the page lets no script in the page itself run.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The terms of what is in it ask to be passed on with it.
    license: { fileName: 'licences.md' },
  },
})
