package org.example.text;

import java.util.List;

public class Wrapper {
  private final Splitter splitter;

  public Wrapper(int width) {
    this.splitter = new WordSplitter(width);
  }

  public List<String> wrap(String text) {
    return splitter.split(text.trim());
  }
}
