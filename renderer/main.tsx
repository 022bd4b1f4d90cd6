import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App';
import { Client } from './client/client';
import { connect } from './client/connect';
import { TooltipProvider } from './components/Tooltip';
import { start } from './shell/start';
import { createStores } from './state/createStores';
import { ShellContext } from './state/storesContext';
import './styles/global.css';

const client = new Client(connect());
const shell = { client, stores: createStores(client) };
start(shell);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root');
createRoot(root).render(
  <StrictMode>
    <ShellContext value={shell}>
      <TooltipProvider>
        <App />
      </TooltipProvider>
    </ShellContext>
  </StrictMode>,
);
