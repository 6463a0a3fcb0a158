import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './look/all.css';
import { App } from './app.tsx';
import { language } from './texts/language.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element for the console.');
document.documentElement.lang = language;
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
