# Comments of the headers are plain C: those that begin a line, or follow a declaration, become the generator's. The
# first one describes the file.
1s|^/\* |/** @file \n * |
2,$s|^\( *\)/\* |\1/** |
s|\([;,{]\) */\* |\1 /**< |
